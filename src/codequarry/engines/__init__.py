"""Every code index behind one interface: adapters, licence gate, fusion."""
