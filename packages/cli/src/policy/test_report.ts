import type { TestFailure, TestResult } from '@concierge/policy'
import { explanationText } from '../explanation_text.ts'
import { printable } from '../terminal/printable.ts'
import { styled } from '../terminal/say.ts'

/** For terminals: each test, with the reasons of failures. */
export function testReport(results: TestResult[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0)
  return [
    ...results.flatMap(linesOf),
    '',
    `${results.length - failed.length} passed, ${failed.length} failed`,
  ].join('\n')
}

function linesOf({ name, failures }: TestResult): string[] {
  const isMet = failures.length === 0
  const mark = styled(isMet ? 'green' : 'red', isMet ? 'ok  ' : 'FAIL', process.stdout)
  const details = failures.flatMap((failure) => failureText(failure).split('\n'))
  return [`${mark} ${printable(name)}`, ...details.map((line) => `     ${line}`.trimEnd())]
}

/** The question, what differs, and the explanation of the decision. */
export function failureText({ expectation, reasons, explanation }: TestFailure): string {
  return [
    `${printable(questionOf(expectation))}: ${printable(reasons.join('; '))}`,
    ...explanationText(explanation)
      .split('\n')
      .map((line) => `  ${line}`.trimEnd()),
  ].join('\n')
}

function questionOf({ user, permission, level, resource }: TestFailure['expectation']): string {
  const where = resource ? ` on ${resource.type} ${resource.id}` : ''
  return `${user} ${permission}${level ? ` (${level})` : ''}${where}`
}
