import { stripVTControlCharacters } from 'node:util'
import type { TestResult } from '@concierge/policy'
import { failureText } from './test_report.ts'

/** The results in the format that CI systems read. */
export function junitReport(policy: string, results: TestResult[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length
  const suite = attributes({ name: policy, tests: results.length, failures: failed, errors: 0 })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes({ tests: results.length, failures: failed, errors: 0 })}>`,
    `  <testsuite ${suite}>`,
    ...results.map((result) => testCase(policy, result)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(policy: string, { name, failures }: TestResult): string {
  const named = attributes({ classname: policy, name })
  if (failures.length === 0) return `    <testcase ${named}/>`
  const message = failures.flatMap(({ reasons }) => reasons).join('; ')
  const text = stripVTControlCharacters(failures.map(failureText).join('\n\n'))
  const failure = `<failure ${attributes({ message })}>${escaped(text)}</failure>`
  return `    <testcase ${named}>${failure}</testcase>`
}

const attributes = (values: Record<string, string | number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(' ')

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML cannot have are replaced. */
const escaped = (text: string) =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => ENTITIES[character]!)
