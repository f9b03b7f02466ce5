package com.shop.warehouse;

import java.util.HashMap;
import java.util.Map;

/** Keeps how many pieces of each article lie in the warehouse. */
public final class StockLedger {
    private final Map<String, Integer> pieces = new HashMap<>();

    /** Reserves stock for an order, and refuses when there is too little. */
    public synchronized boolean reserveStock(String sku, int wanted) {
        int available = pieces.getOrDefault(sku, 0);
        if (available < wanted) {
            return false;
        }
        pieces.put(sku, available - wanted);
        return true;
    }

    /** Books a delivery of a supplier. */
    public synchronized void receiveDelivery(String sku, int delivered) {
        pieces.merge(sku, delivered, Integer::sum);
    }
}
