//! The way of a source from the author's text to the guest's: a word, a function body, 100 lines of TypeScript.

#![expect(missing_docs, reason = "what the macros of criterion make has none")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use intermission_source::{Options, prepare as prepare_source};

/// Ten lines with types, a template and an `await`.
const LINES: &str = "\
interface Order { id: number; total: number; paid: boolean }
async function due(customer: string, limit: number = 100): Promise<Order[]> {
  const orders = (await shop.orders({ customer })) as Order[];
  const open: Order[] = orders.filter((order: Order): boolean => !order.paid && order.total > limit);
  for (const { id, total } of open) {
    console.log(`order ${id} of ${customer} is open: ${total.toFixed(2)}`);
  }
  return open.sort((a: Order, b: Order) => b.total - a.total);
}
const sum = (orders: readonly Order[]): number => orders.reduce((sum, order) => sum + order.total, 0);
";

fn prepare(criterion: &mut Criterion) {
    let hundred_lines: String = (0..10)
        .map(|nth| {
            LINES
                .replace("Order", &format!("Order{nth}"))
                .replace("due", &format!("due{nth}"))
                .replace("sum =", &format!("sum{nth} ="))
        })
        .collect();
    let mut group = criterion.benchmark_group("prepare");
    for (name, text) in [("trivial", "return 1+1"), ("10 lines", LINES), ("100 lines", &hundred_lines)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| prepare_source(black_box(text), &Options::default()).expect("it is TypeScript"));
        });
    }
    group.finish();
}

criterion_group!(benches, prepare);
criterion_main!(benches);
