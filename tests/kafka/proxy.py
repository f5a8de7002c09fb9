"""A TCP proxy in front of a broker: what clients send and get can be slowed to a trickle, held for a while, or cut off."""
import select
import socket
import threading
import time


class Proxy:
    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.bytes_per_second = None  # of each connection, from the broker; None: as fast as it comes
        self.held = False  # nothing passes, and nobody is told
        self.target, self.ended, self.pairs = None, False, []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.ended:
            try:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                continue
            self.pairs.append((near, far))
            threading.Thread(target=self.pump, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self.pump, args=(far, near, True), daemon=True).start()

    def pump(self, source, sink, is_slow):
        try:
            while True:
                if self.held:
                    time.sleep(0.02)
                    continue
                if not select.select([source], [], [], 0.1)[0]:
                    continue
                rate = self.bytes_per_second if is_slow else None
                data = source.recv(max(1, rate // 50) if rate else 65536)
                while self.held:
                    time.sleep(0.02)
                if not data:
                    break
                sink.sendall(data)
                if rate:
                    time.sleep(len(data) / rate)
        except (OSError, ValueError):
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        """End all connections, in the middle of whatever is under way."""
        pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def close(self):
        self.ended = True
        self.listener.close()
        self.cut()
