/**
 * What works without the service: reading a document and testing it, with the validator and the
 * evaluator of the service. The package `@concierge/policy` compiles this file and what it imports,
 * so nothing here may need the framework or a database.
 */
import '#start/validation'
import { errors as vineErrors } from '@vinejs/vine'
import { Problem } from '#core/exceptions/problem'
import type { FieldError } from '#core/exceptions/problems'
import { readTests } from '#app/policies/testing/read_tests'
import { type TestResult, runTests } from '#app/policies/testing/run_tests'
import { completePolicy } from '#app/policies/values/complete_policy'
import { validatePolicy } from '#app/policies/validators/validate_policy'
import { requireConsistent } from '#app/policies/values/require_consistent'
import { parseYaml } from '#app/policies/yaml/yaml_text'

export type { TestFailure, TestResult } from '#app/policies/testing/run_tests'
export type { Explanation } from '#app/checks/values/explanation'

/** Why a document or a file of tests cannot be used; each fault begins with its place. */
export class InvalidDocument extends Error {
  constructor(readonly faults: string[]) {
    super(faults.join('\n'))
  }
}

/**
 * Reads YAML or JSON, with the rules of request bodies. Its content is not validated.
 * @throws InvalidDocument
 */
export async function parseDocument(text: string): Promise<unknown> {
  return describeFaults(() => parseJsonOrYaml(text))
}

/**
 * Runs tests against a document.
 *
 * @param content as parsed
 * @param tests as parsed
 * @throws InvalidDocument if either is not valid
 */
export async function testPolicy(content: unknown, tests: unknown): Promise<TestResult[]> {
  return describeFaults(async () => {
    const valid = await validatePolicy(content)
    await requireConsistent(valid)
    const policy = completePolicy(valid)
    return runTests(policy, await readTests(tests, policy))
  })
}

/** The parser of YAML reads JSON too, but takes minutes for a large file. */
function parseJsonOrYaml(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parseYaml(text)
  }
}

async function describeFaults<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof vineErrors.E_VALIDATION_ERROR) throw new InvalidDocument(messages(error))
    if (error instanceof Problem) throw new InvalidDocument(describe(error))
    throw error
  }
}

const messages = ({ messages: errors }: { messages: FieldError[] }) =>
  errors.map(({ message }) => message)

function describe({ message, details }: Problem): string[] {
  if (Array.isArray(details.errors)) return messages({ messages: details.errors })
  return [details.field === undefined ? message : `${String(details.field)}: ${message}`]
}
