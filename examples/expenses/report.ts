// Reads a month's expenses, converts them into euros, finds what is out of the ordinary, and writes a report.

enum Category {
  Meals = "meals",
  Office = "office",
  Travel = "travel",
}

interface Expense {
  category: Category;
  date: string;
  employee: string;
  description: string;
  amount: number;
  currency: string;
}

type Converted = Expense & { euros: number };

interface Problem {
  place: string;
  reason: string;
}

/** An expense is out of the ordinary when it is this many times the median of its category. */
const { month, factor = 4 } = input as { month: string; factor?: number };
const problems: Problem[] = [];

// All files are read at the same time, and so are all rates: a host call starts when it is made.
const paths = await files.list({ folder: "data", ending: ".csv" });
const expenses = (await Promise.all(paths.map(expensesOf))).flat().filter(({ date }) => date.startsWith(month));
const euroRates = await ratesOf(new Set(expenses.map(({ currency }) => currency)));

const converted: Converted[] = expenses
  .filter(({ currency }) => euroRates.has(currency))
  .map((expense) => ({ ...expense, euros: expense.amount * euroRates.get(expense.currency)! }));
const outliers = Object.values(Category).flatMap(outliersOf);

console.log(`${month}: ${expenses.length} expenses, ${outliers.length} out of the ordinary, ${problems.length} problems`);

const path = `out/${month}.md`;
await files.write({ path, text: report() });

return { report: path, total: euros(total(converted)), outliers: outliers.map(({ description }) => description), problems };

async function expensesOf(path: string): Promise<Expense[]> {
  const category = path.match(/(\w+)\.csv$/)![1] as Category;
  const [, ...lines] = (await files.read({ path })).trim().split("\n");
  return lines.flatMap((line, index) => {
    const [date, employee, description, amount, currency] = cells(line);
    if (Number.isNaN(Number(amount))) {
      problems.push({ place: `${path}, line ${index + 2}`, reason: `“${amount}” is not a number` });
      return [];
    }
    return [{ category, date, employee, description, amount: Number(amount), currency }];
  });
}

/** The cells of a line of CSV (RFC 4180). */
function cells(line: string): string[] {
  const found = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...found].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);
}

/** What is not known is a problem of the report, not its end. */
async function ratesOf(currencies: Set<string>): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const lookups = [...currencies].map(async (currency) => {
    try {
      found.set(currency, await rates.lookup({ currency, month }));
    } catch (error) {
      problems.push({ place: currency, reason: (error as Error).message });
    }
  });
  await Promise.all(lookups);
  return found;
}

function outliersOf(category: Category): Converted[] {
  const own = converted.filter((expense) => expense.category === category);
  const limit = factor * median(own.map(({ euros }) => euros));
  return own.filter(({ euros }) => euros > limit);
}

function report(): string {
  const employees = [...new Set(converted.map(({ employee }) => employee))].sort();
  const row = (name: string, expenses: Converted[]) => `| ${name} | ${expenses.length} | ${euros(total(expenses))} |`;
  return [
    `# Expenses in ${month}`,
    "",
    `${converted.length} expenses, **${euros(total(converted))}** in all.`,
    "",
    "| Category | Expenses | Total |",
    "|---|---:|---:|",
    ...Object.values(Category).map((name) => row(name, converted.filter(({ category }) => category === name))),
    "",
    "| Employee | Expenses | Total |",
    "|---|---:|---:|",
    ...employees.map((name) => row(name, converted.filter(({ employee }) => employee === name))),
    "",
    "## Out of the ordinary",
    "",
    ...outliers.map(({ date, employee, description, euros: amount }) => `- ${date}, ${employee}: ${description}, ${euros(amount)}`),
    "",
    "## Problems",
    "",
    ...problems.map(({ place, reason }) => `- ${place}: ${reason}`),
    "",
  ].join("\n");
}

function total(expenses: Converted[]): number {
  return expenses.reduce((sum, { euros }) => sum + euros, 0);
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function euros(amount: number): string {
  return amount.toLocaleString("en-US", { style: "currency", currency: "EUR" });
}
