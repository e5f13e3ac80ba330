import { explain } from '#app/checks/explain'
import type { Explanation } from '#app/checks/values/explanation'
import { policyEvidence } from '#app/policies/testing/policy_evidence'
import type { Expectation, PolicyTest, PolicyTests } from '#app/policies/testing/tests_validator'
import type { PolicyDocument } from '#app/policies/values/policy_document'

export interface TestResult {
  name: string
  /** How many expectations it has. */
  expectations: number
  failures: TestFailure[]
}

/** An expectation that the policy does not meet. */
export interface TestFailure {
  expectation: Expectation
  /** What differs, such as `expected denied, but it is allowed`. */
  reasons: string[]
  explanation: Explanation
}

/** Runs tests against a document, with the evaluator of the service. Reads and writes nothing. */
export function runTests(policy: PolicyDocument, { tests }: PolicyTests): TestResult[] {
  return tests.map((test) => ({
    name: test.name,
    expectations: test.expect.length,
    failures: test.expect.flatMap((expectation) => meet(policy, test, expectation)),
  }))
}

function meet(policy: PolicyDocument, { given }: PolicyTest, expectation: Expectation) {
  const explanation = explain(policyEvidence(policy, given, expectation), expectation.level)
  const reasons = differences(expectation, explanation)
  return reasons.length === 0 ? [] : [{ expectation, reasons, explanation }]
}

function differences({ allowed, source, because }: Expectation, found: Explanation): string[] {
  const reasons: string[] = []
  if (found.allowed !== allowed) {
    reasons.push(`expected ${verdict(allowed)}, but it is ${verdict(found.allowed)}`)
  }
  if (source !== undefined && found.source !== source) {
    reasons.push(`expected the source ${source ?? 'null'}, but it is ${found.source ?? 'null'}`)
  }
  if (because !== undefined && !citedIn(found).some((text) => text.includes(because))) {
    reasons.push(`expected "${because}" in the explanation`)
  }
  return reasons
}

const verdict = (allowed: boolean) => (allowed ? 'allowed' : 'denied')

const citedIn = ({ steps }: Explanation) =>
  steps.flatMap(({ evidence }) => evidence.map(({ description }) => description))
