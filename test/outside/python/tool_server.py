"""Serves the tools of Python worlds over the Model Context Protocol, one world a path, to loopback alone."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pydantic import BaseModel


class Worlds:
    """The worlds that are played, by their paths; one begins with the first request to its path."""

    def __init__(self, begin):
        self.begin, self.by_path, self.lock = begin, {}, threading.Lock()

    def find(self, path):
        with self.lock:
            if path not in self.by_path:
                self.by_path[path] = self.begin(path)
            return self.by_path[path]

    def end(self, path):
        """Returns the world of a path and forgets it."""
        world = self.find(path)
        with self.lock:
            del self.by_path[path]
        return world


def plain(value):
    """Returns what a function returned as JSON."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    return value


def answer(world, message):
    """Returns the result of one request of the protocol, or None where it is unknown."""
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "outside", "version": "1"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": world.tools()}
    if method == "tools/call":
        return world.call(params["name"], params.get("arguments") or {})
    return None


def handler_of(find_world, requests):
    """Makes a handler: POST of the protocol to the path of a world, POST of plain JSON to the paths of `requests`."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # A request without a delay of the kernel's: each answer is two writes.
        disable_nagle_algorithm = True

        def log_message(self, *_):
            pass

        def do_GET(self):
            self.reply(405)

        def do_DELETE(self):
            self.reply(405)

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            message = json.loads(body or b"null")
            own = requests.get(self.path)
            if own is not None:
                self.reply(200, own(message))
                return
            if "id" not in message:
                self.reply(202)
                return
            result = answer(find_world(self.path), message)
            known = {"result": result} if result is not None else {"error": {"code": -32601, "message": "no such method"}}
            self.reply(200, {"jsonrpc": "2.0", "id": message["id"], **known})

        def reply(self, status, value=None):
            body = b"" if value is None else json.dumps(value, default=str).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


def serve(find_world, requests):
    """Serves until stdin closes; the first line of stdout is the port."""
    # A client that is gone needs no answer.
    ThreadingHTTPServer.handle_error = lambda *_: None
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(find_world, requests))
    server.daemon_threads = True
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


def text_result(value, is_error=False):
    """Returns a value as the result of a tool: JSON in a text."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return {"content": [{"type": "text", "text": text}], "isError": is_error}
