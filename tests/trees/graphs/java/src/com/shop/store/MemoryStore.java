package com.shop.store;

public class MemoryStore extends AbstractStore {
  protected void flush() {
    items.clear();
  }

  public void write() {
    flush();
  }
}
