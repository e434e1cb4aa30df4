// Reminds customers of invoices that are overdue. A person says what happens to small amounts, and approves each letter before it goes out.

interface Invoice {
  number: string;
  customer: string;
  email: string;
  amount: number;
  due: string;
}

interface Outcome {
  invoice: string;
  letter?: string;
  denied?: string;
}

const { today } = input as { today: string };
const invoices: Invoice[] = await books.invoices({ status: "open" });
const overdue = invoices.filter(({ due }) => due < today);
console.log(`${today}: ${overdue.length} of ${invoices.length} open invoices are overdue`);

const small = overdue.filter(({ amount }) => amount < 20);
const waive = small.length > 0 && (await clerk.ask({
  question: "Waive these amounts? They are less than a letter costs.",
  invoices: small.map(({ number, customer, amount }) => `${number}, ${customer}: ${euros(amount)}`),
}));
console.log(waive ? "small amounts are waived" : "small amounts are asked for");

// All letters are asked about at the same time.
const letters = overdue.filter((invoice) => !(waive && small.includes(invoice)));
return { waived: waive ? small.map(({ number }) => number) : [], outcomes: await Promise.all(letters.map(remind)) };

async function remind({ number, customer, email, amount, due }: Invoice): Promise<Outcome> {
  try {
    const { letter } = await mail.send({
      to: email,
      subject: `Invoice ${number}`,
      text: `Dear ${customer},\n\n${euros(amount)} have been due since ${due}. May we ask you to pay?`,
    });
    return { invoice: number, letter };
  } catch (error) {
    if ((error as { code?: string }).code !== "APPROVAL_DENIED") throw error;
    return { invoice: number, denied: (error as Error).message };
  }
}

function euros(amount: number): string {
  return amount.toLocaleString("en-US", { style: "currency", currency: "EUR" });
}
