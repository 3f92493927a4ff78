// --- largest
pub fn largest(values: &[i32]) -> Option<i32> {
    let mut best = *values.first()?;
    for &value in values {
        if value > best {
            best = value;
        }
    }
    Some(best)
}
// --- point
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}
// --- word count
use std::collections::HashMap;

pub fn count_words(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_insert(0) += 1;
    }
    counts
}
// --- read numbers
use std::num::ParseIntError;

pub fn read_numbers(text: &str) -> Result<Vec<i64>, ParseIntError> {
    text.lines()
        .map(|line| line.trim().parse::<i64>())
        .collect()
}
// --- enum
pub enum Shape {
    Circle { radius: f64 },
    Square(f64),
}

pub fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle { radius } => std::f64::consts::PI * radius * radius,
        Shape::Square(side) => side * side,
    }
}
// --- trait
pub trait Speak {
    fn name(&self) -> String;

    fn greet(&self) -> String {
        format!("Hello, {}!", self.name())
    }
}
// --- fibonacci
pub struct Fibonacci {
    current: u64,
    next: u64,
}

impl Iterator for Fibonacci {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let value = self.current;
        self.current = self.next;
        self.next += value;
        Some(value)
    }
}
// --- threads
use std::thread;

pub fn squares(values: Vec<u64>) -> Vec<u64> {
    let workers: Vec<_> = values
        .into_iter()
        .map(|value| thread::spawn(move || value * value))
        .collect();
    workers.into_iter().map(|w| w.join().unwrap()).collect()
}
// --- file lines
use std::fs::File;
use std::io::{self, BufRead, BufReader};

pub fn count_lines(path: &str) -> io::Result<usize> {
    let reader = BufReader::new(File::open(path)?);
    Ok(reader.lines().count())
}
// --- generic stack
pub struct Stack<T> {
    items: Vec<T>,
}

impl<T> Stack<T> {
    pub fn push(&mut self, item: T) {
        self.items.push(item);
    }

    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }
}
// --- binary search
pub fn position(items: &[u32], wanted: u32) -> Option<usize> {
    let (mut low, mut high) = (0, items.len());
    while low < high {
        let middle = (low + high) / 2;
        match items[middle].cmp(&wanted) {
            std::cmp::Ordering::Equal => return Some(middle),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    None
}
// --- tests
#[cfg(test)]
mod tests {
    #[test]
    fn a_vector_grows() {
        let mut values = vec![1, 2];
        values.extend([3, 4]);
        assert_eq!(values.len(), 4);
        assert_eq!(values.iter().sum::<i32>(), 10);
    }
}
