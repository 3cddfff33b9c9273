/** The account numbers that are named, are in a range as 4000:4999, or begin as 4*. */
export function selectedAccounts(patterns: readonly string[], numbers: Iterable<string>): string[] {
  const tests = patterns.map((pattern): ((number: string) => boolean) => {
    const [from, to] = pattern.split(':').map((part) => part.trim()) as [string, string | undefined];
    if (to !== undefined) return (number) => number >= from && (number <= to || number.startsWith(to));
    if (pattern.endsWith('*')) return (number) => number.startsWith(pattern.slice(0, -1));
    return (number) => number === pattern;
  });
  return [...numbers].filter((number) => tests.some((test) => test(number)));
}
