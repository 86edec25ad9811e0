/** Exports what displays need of conversations. */
export { type ConversationMessage, isConversation } from "../messages/message.ts";
export { speakerOf, spokenText, toolNames } from "../messages/transcript.ts";
