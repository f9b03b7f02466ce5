pub mod pricing;
pub mod store;
mod till;

pub use pricing::round as nearest;

use crate::pricing::{total as price_total, Discount, Rule};
use store::Store;

pub struct App {
    store: Store,
    cache: store::Cache,
    discount: Box<Discount>,
}

impl App {
    pub fn new() -> Self {
        App {
            store: Store::new("x"),
            cache: store::Cache::default(),
            discount: Box::new(Discount::new(1)),
        }
    }

    pub fn run(&mut self, items: Vec<u32>) {
        self.store.save(1);
        self.cache.save(2);
        self.discount.apply(3);
        self.finish();
        price_total(&items);
        items.iter().map(|x| x + 1);
        items.get(0);
    }

    fn finish(&self) {
        pricing::round(1);
        helper();
    }
}

fn helper() {
    let store = Store::new("y");
    store.flush();
    let mut app = App::new();
    app.run(vec![]);
}

fn by_rule(rule: &dyn Rule, store: &mut store::Cache) {
    rule.apply(1);
    store.flush();
}

fn shadow(helper: fn()) {
    helper();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs() {
        App::new().run(vec![]);
    }
}
