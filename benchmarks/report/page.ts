import { BENCHMARKS } from './benchmarks.ts'
import { type StoredResults, storedResults } from './results.ts'
import { markdownTable, targetTable } from './table.ts'

type Benchmark = (typeof BENCHMARKS)[number]

/** The page with the latest results of all benchmarks. */
export function renderPage(): string {
  const all = BENCHMARKS.map((benchmark) => ({
    benchmark,
    results: storedResults(benchmark.folder),
  }))
  const measured = all.flatMap(({ results }) => (results === null ? [] : [results]))
  const targets = measured.flatMap((results) => results.targets)
  const missed = targets.filter(({ met }) => !met)
  const [{ machine }] = measured.toSorted((one, other) => other.at.localeCompare(one.at))
  const parts = [
    '# Benchmarks',
    'What Concierge costs, measured and compared. `npm run benchmark` runs all of it again and writes this page.',
    `**${targets.length - missed.length} of ${targets.length} targets are met.** Missed ones are listed like the others.`,
    [
      picture('checks', 'Requests per CPU-second'),
      picture('growth', 'Growth with more users'),
    ].join('\n\n'),
    '## Method',
    [
      '- Unless a name says otherwise, such as memory or p99, the figures are CPU time, user and system, of all threads of a process, as the kernel counts it. Wall time says little on a shared machine.',
      '- What is compared runs on the same machine in alternating rounds, after a warm-up. Figures are medians over the rounds; a ratio is the median of the ratios within a round.',
      '- Before checks are measured, all candidates must make the same decisions.',
      '- Figures of different days or machines cannot be compared with each other.',
    ].join('\n'),
    `The latest run used Node.js ${machine.node.slice(1)}, ${packagesOf(machine.packages)}.`,
    ...all.flatMap(({ benchmark, results }) => section(benchmark, results)),
  ]
  return `${parts.join('\n\n')}\n`
}

const picture = (name: string, alt: string) =>
  `<picture><source media="(prefers-color-scheme: dark)" srcset="../images/benchmarks/${name}-dark.svg"><img alt="${alt}" src="../images/benchmarks/${name}-light.svg"></picture>`

const packagesOf = (packages: Record<string, string>) =>
  Object.entries(packages)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')

function section({ title, about, folder, command }: Benchmark, results: StoredResults | null) {
  const source = `\`npm run benchmark:${command}\`, [its page](../../benchmarks/${folder}/README.md)`
  const head = [`## ${title}`, about]
  if (results === null) return [...head, `Not measured yet: ${source}.`]
  const { at, machine, targets, tables } = results
  const where = `${machine.processors} × ${machine.processor}, ${machine.memoryGiB} GiB, ${machine.system}`
  return [
    ...head,
    `${at.slice(0, 10)} on ${where}. ${source}.`,
    ...(targets.length > 0 ? [targetTable(targets), ...tables] : tables).map(markdownTable),
  ]
}
