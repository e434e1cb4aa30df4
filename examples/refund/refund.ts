// As a model wrote it. Nothing in it knows that somebody may be asked.
const { order, reason } = input as { order: string; reason: string };
const { customer, amount } = await orders.find({ order });
console.log(`${customer} wants ${amount} back for ${order}: ${reason}`);
try {
  const { receipt } = await payments.refund({ order, amount });
  return { order, refunded: amount, receipt };
} catch (error) {
  return { order, refunded: 0, why: (error as Error).message };
}
