package com.shop.store;

import java.util.ArrayList;
import java.util.List;

public abstract class AbstractStore implements Store {
  protected final List<String> items = new ArrayList<>();

  public void save(String item) {
    items.add(item);
    flush();
  }

  protected abstract void flush();

  public String get(String key) {
    return items.get(0);
  }
}
