"""Two stores that know nothing of each other, with the same names of methods."""

import json


class Backend:
    def flush(self):
        raise NotImplementedError


class Store(Backend):
    def save(self, item):
        self._write(json.dumps(item))

    def _write(self, text):
        pass

    def flush(self):
        self._write("")


class Cache:
    def save(self, item):
        self._write(item)

    def _write(self, item):
        pass

    def get(self, key):
        return key

    @classmethod
    def create(cls):
        return cls()

    @staticmethod
    def dumps(item):
        return str(item)


def get(key):
    return Cache().get(key)


def open_cache():
    cache = Cache.create()
    with Cache() as other:
        other.save(1)
    return cache
