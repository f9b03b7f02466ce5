package com.shop.pricing;

public final class Prices {
  private Prices() {
  }

  public static int total(int value) {
    return round(value);
  }

  public static int total(int value, int rate) {
    return total(value * rate);
  }

  private static int round(int value) {
    return Math.round(value);
  }

  public static class Rule {
    public int apply(int value) {
      return round(value);
    }

    public void add(int value) {
    }
  }
}
