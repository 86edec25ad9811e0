/** Two sources of documents. */
export const retrieve = (query: string) => [`a document on ${query}`];
export const searchWeb = (query: string) => [`the web on ${query}`];
