"""A schema registry that a test can switch off: what Confluent's REST interface answers to the questions that readers have."""
import http.server
import json
import re
import ssl
import threading


class Registry:
    def __init__(self, password=None, certificate=None):
        """password: the header that is asked for; certificate: a PEM file with its key, for https."""
        self.subjects = {}  # of each its versions, as schema ids
        self.schemas = {}  # id -> answer
        self.password, self.down, self.asked = password, False, []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                outer.asked.append(self.path)
                code, body = outer.answer(self.path, self.headers.get("Authorization"))
                data = json.dumps(body).encode()
                self.send_response(code)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "%s://localhost:%d" % ("https" if certificate else "http", self.server.server_port)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def add(self, number, schema, subject=None, **more):
        text = schema if isinstance(schema, str) else json.dumps(schema)
        self.schemas[number] = {"schema": text, **more}
        if subject:
            self.subjects.setdefault(subject, []).append(number)
        return number

    def answer(self, path, authorization):
        if self.down:
            return 503, {"error_code": 50301, "message": "down"}
        if self.password and authorization != self.password:
            return 401, {"error_code": 401, "message": "Unauthorized"}
        found = re.fullmatch(r"/schemas/ids/(\d+)", path)
        if found:
            schema = self.schemas.get(int(found[1]))
            return (200, schema) if schema else (404, {"error_code": 40403, "message": "Schema not found"})
        found = re.fullmatch(r"/subjects/([^/]+)/versions/(latest|\d+)", path)
        if found and found[1] in self.subjects:
            versions = self.subjects[found[1]]
            version = len(versions) if found[2] == "latest" else int(found[2])
            if version <= len(versions):
                number = versions[version - 1]
                return 200, {"subject": found[1], "version": version, "id": number, **self.schemas[number]}
        return 404, {"error_code": 40401, "message": "Subject not found"}

    def close(self):
        self.server.shutdown()
        self.server.server_close()
