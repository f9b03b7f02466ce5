//! Parcels and what it costs to ship them.

/// A box with outer measures in millimetres and a weight in grams.
pub struct Parcel {
    pub length: u32,
    pub width: u32,
    pub height: u32,
    pub weight: u32,
}

impl Parcel {
    /// Volumetric weight in grams, as carriers compute it.
    pub fn volumetric_weight(&self) -> u32 {
        self.length * self.width * self.height / 5000
    }
}

/// Picks the cheapest carrier that accepts the parcel.
pub fn cheapest_carrier(parcel: &Parcel, tariffs: &[(String, u32, u32)]) -> Option<String> {
    let weight = parcel.weight.max(parcel.volumetric_weight());
    tariffs
        .iter()
        .filter(|(_, limit, _)| weight <= *limit)
        .min_by_key(|(_, _, price)| *price)
        .map(|(name, _, _)| name.clone())
}
