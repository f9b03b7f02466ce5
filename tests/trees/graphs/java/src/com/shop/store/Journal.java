package com.shop.store;

class Journal {
  void add(String line) {
    check(line);
  }

  void write() {
    add("end");
  }

  static void rotate() {
    new Journal().write();
  }

  private void check(String line) {
    line.trim();
  }
}
