//! Values to bytes and back: what a call of a host function carries.

#![expect(missing_docs, reason = "what the macros of criterion make has none")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use intermission_value::{Value, decode, encode as encode_value};

fn row(id: u32) -> Value {
    Value::object([
        ("id", Value::from(id)),
        ("name", Value::from(format!("user-{id}"))),
        ("email", Value::from(format!("user{id}@example.com"))),
        ("active", Value::from(id.is_multiple_of(2))),
        ("city", Value::from("Springfield")),
    ])
}

fn encode(criterion: &mut Criterion) {
    let values = [
        ("arguments of a small call", Value::array([row(1)])),
        ("9,000 rows", Value::array((0..9000).map(row))),
        ("a string of 1 MB", Value::from("x".repeat(1 << 20))),
        ("100,000 numbers", Value::array((0..100_000).map(|number| f64::from(number) / 7.0))),
    ];
    let mut group = criterion.benchmark_group("encode");
    for (name, value) in &values {
        let bytes = encode_value(value).expect("it can be encoded");
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("encode {name}"), |bencher| {
            bencher.iter(|| encode_value(black_box(value)));
        });
        group.bench_function(format!("decode {name}"), |bencher| {
            bencher.iter(|| decode(black_box(&bytes), usize::MAX));
        });
    }
    group.finish();
}

criterion_group!(benches, encode);
criterion_main!(benches);
