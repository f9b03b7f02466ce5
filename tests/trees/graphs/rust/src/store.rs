use super::pricing::round;

pub struct Store {
    name: String,
}

impl Store {
    pub fn new(name: &str) -> Store {
        let name = name.to_string();
        Store { name }
    }

    pub fn save(&self, value: u32) {
        Self::check(value);
        self.flush();
    }

    pub fn flush(&self) {
        round(1);
    }

    fn check(value: u32) {}
}

#[derive(Default)]
pub struct Cache;

impl Cache {
    pub fn save(&self, value: u32) {
        self.flush();
    }

    pub fn flush(&self) {}

    pub fn get(&self, key: u32) -> u32 {
        key
    }
}
