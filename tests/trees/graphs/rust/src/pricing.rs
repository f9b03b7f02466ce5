pub trait Rule {
    fn apply(&self, value: u32) -> u32;

    fn twice(&self, value: u32) -> u32 {
        self.apply(value)
    }
}

pub struct Discount {
    rate: u32,
}

impl Discount {
    pub fn new(rate: u32) -> Discount {
        Discount { rate }
    }
}

impl Rule for Discount {
    fn apply(&self, value: u32) -> u32 {
        round(value * self.rate)
    }
}

pub struct Flat;

impl Rule for Flat {
    fn apply(&self, value: u32) -> u32 {
        value
    }
}

pub fn total(items: &[u32]) -> u32 {
    items.iter().sum()
}

pub fn round(value: u32) -> u32 {
    value
}
