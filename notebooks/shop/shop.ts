/** Serves a small shop on this machine, for an agent with a browser: goods, a basket, a form with a frame, a receipt to download. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

const GOODS = [
  { id: "lute", name: "Lute", price: 480 },
  { id: "recorder", name: "Recorder", price: 35 },
  { id: "strings", name: "Gut strings", price: 22 },
  { id: "partbooks", name: "Set of part books", price: 64 },
] as const;

/** An order that somebody has placed. */
export interface Order {
  readonly item: string;
  readonly name: string;
  readonly delivery: string;
}

/** A shop that is open. */
export interface Shop {
  readonly url: string;
  /** `127.0.0.1:PORT`, which a program declares as a private host. */
  readonly host: string;
  /** The orders so far, oldest first. */
  readonly orders: readonly Order[];
  close(): void;
}

/** Opens the shop on a free port of the loopback address. */
export async function openShop(): Promise<Shop> {
  const orders: Order[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://shop");
    if (request.method === "POST" && url.pathname === "/order") {
      const form = new URLSearchParams(await bodyOf(request));
      const [item = "", name = "", delivery = ""] = ["item", "name", "delivery"].map(
        (field) => form.get(field) ?? "",
      );
      orders.push({ item, name, delivery });
      response.writeHead(303, { location: `/thanks?number=${orders.length}` }).end();
      return;
    }
    if (url.pathname === "/receipt") {
      const number = Number(url.searchParams.get("number"));
      const text = `Receipt ${number}: ${JSON.stringify(orders[number - 1])}\n`;
      const disposition = `attachment; filename="receipt-${number}.txt"`;
      response.writeHead(200, { "content-disposition": disposition, "content-type": "text/plain" });
      response.end(text);
      return;
    }
    const page = pageAt(url);
    response.writeHead(page === undefined ? 404 : 200, {
      "content-type": "text/html; charset=utf-8",
    });
    response.end(page ?? "<p>There is no such page.</p>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://${host}/`, host, orders, close };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

function pageAt({ pathname, searchParams }: URL): string | undefined {
  const item = GOODS.find(({ id }) => pathname === `/item/${id}`);
  if (item !== undefined) return layout(item.name, itemPage(item));
  switch (pathname) {
    case "/":
      return layout("Goods", `<h1>Goods</h1><ul>${GOODS.map(entry).join("")}</ul>`);
    case "/terms":
      return layout("Terms", "<h1>Terms</h1><p>What is tuned is not taken back.</p>");
    case "/delivery":
      return "<p>We deliver in <b>three days</b>.</p><button>More on delivery</button>";
    case "/thanks":
      return layout("Thanks", thanks(searchParams.get("number") ?? ""));
    default:
      return undefined;
  }
}

type Item = (typeof GOODS)[number];

function entry({ id, name, price }: Item): string {
  return `<li><a href="/item/${id}">${name}</a>, ${price} €</li>`;
}

function itemPage({ id, name, price }: Item): string {
  return `<h1>${name}</h1><p>${price} €</p>
<form method="post" action="/order">
  <input type="hidden" name="item" value="${id}">
  <p><label>Your name <input name="name" required></label></p>
  <p><label>Delivery <select name="delivery"><option>Post</option><option>Courier</option></select></label></p>
  <p><button>Order</button></p>
</form>
<p><a href="/terms" target="_blank">Terms</a></p>
<iframe src="/delivery" title="Delivery"></iframe>`;
}

function thanks(number: string): string {
  const safe = number.replace(/\D/g, "");
  return `<h1>Thank you</h1><p>Your order has the number ${safe}.</p><p><a href="/receipt?number=${safe}">Receipt</a></p>`;
}

function layout(title: string, body: string): string {
  return `<!doctype html><title>${title} · Shop of old instruments</title>
<style>body { font: 16px/1.5 sans-serif; max-width: 40em; margin: 2em auto }</style>
<nav><a href="/">All goods</a></nav>${body}`;
}
