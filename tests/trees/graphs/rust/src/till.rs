use crate::nearest;

pub fn count(value: u32) -> u32 {
    nearest(value)
}
