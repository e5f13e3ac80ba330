import { writeFileSync } from 'node:fs'
import { testPolicy } from '@concierge/policy'
import { type operations, unwrap } from '@concierge/client'
import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { usageFailure } from '../errors.ts'
import { EXIT } from '../exit_codes.ts'
import { junitReport } from '../policy/junit.ts'
import { naming, readPolicyFile } from '../policy/read_file.ts'
import { type Plan, planText } from '../policy/plan_text.ts'
import { testReport } from '../policy/test_report.ts'
import { type Session, unwrapData, withSession } from '../session.ts'
import { isObject } from '../settings/profile.ts'
import { say } from '../terminal/say.ts'

const PATH = '/api/applications/{appCode}/policy'

interface ExportOptions {
  assignments?: boolean
}

interface PlanOptions {
  prune?: boolean
}

interface TestOptions {
  junit?: string
}

export function policy(program: Command): void {
  const parent = group(program, 'policy', 'Manage the policy of an application as a file')

  command(parent, 'export <app>', 'Print the policy of an application', [
    'concierge policy export shop > shop.yaml',
    'concierge policy export shop --assignments -o json > shop.json',
    '',
    'Contains permissions, roles, entities, and notification types with their templates.',
  ])
    .option('--assignments', 'include role assignments, overrides and administrators')
    .action(withSession(exportPolicy))

  command(
    parent,
    'plan <file>',
    'Show what a policy would change, and which decisions would flip',
    [
      'concierge policy plan shop.yaml',
      'concierge policy plan shop.yaml --prune -o json',
      '',
      'Changes nothing. Includes assignments if the file has them. The file can be YAML or JSON.',
    ]
  )
    .option('--prune', 'also remove what is not in the file')
    .action(withSession(plan))

  command(parent, 'apply <file>', 'Apply a policy to its application', [
    'concierge policy apply shop.yaml',
    'concierge policy apply shop.yaml --prune --yes',
    '',
    'Shows the plan and asks first. Applies all changes or none. Applies none if the policy has',
    'changed since the plan.',
  ])
    .option('--prune', 'also remove what is not in the file')
    .action(withSession(apply))

  command(parent, 'test <policy> <tests>', 'Test a policy without the service', [
    'concierge policy test shop.yaml shop.tests.yaml',
    'concierge policy test shop.yaml shop.tests.yaml --junit report.xml',
    '',
    'Needs no credentials. Exits with 2 if a test fails, and with 64 if a file is not valid.',
  ])
    .option('--junit <file>', 'also write the results as JUnit XML')
    .action(withSession(test))
}

/** YAML unless JSON was asked for. */
async function exportPolicy(session: Session, appCode: string, { assignments }: ExportOptions) {
  const query = assignments ? { assignments: 'true' as const } : {}
  const request = { params: { path: { appCode }, query } }
  if (session.options.output === 'json') {
    const response = await unwrap(session.api.GET(PATH, request))
    return session.print(typeof response === 'string' ? response : response.data)
  }
  const headers = { accept: 'application/yaml' }
  const yaml = await unwrap(session.api.GET(PATH, { ...request, headers, parseAs: 'text' }))
  session.text(String(yaml).trimEnd())
}

async function plan(session: Session, file: string, { prune }: PlanOptions) {
  const planned = await planOf(session, await requestFor(file, prune))
  if (session.options.output === 'table') session.text(planText(planned))
  else session.print(planned)
}

async function apply(session: Session, file: string, { prune }: PlanOptions) {
  const request = await requestFor(file, prune)
  const planned = await planOf(session, request)
  if (session.options.output === 'table') session.text(planText(planned))
  if (planned.changes.length > 0) {
    await session.confirm(`Apply ${file} to ${request.appCode}?`)
  }
  const params = {
    path: { appCode: request.appCode },
    query: request.query,
    header: { 'if-match': `"${planned.revision}"` },
  }
  const applied = await unwrapData(session.api.PUT(PATH, { params, body: request.body }))
  if (session.options.output !== 'table') session.print(applied)
  else say(applied.changes.length === 0 ? 'Nothing to do' : 'Done')
}

type Body = NonNullable<
  operations['policies.policies.plan']['requestBody']
>['content']['application/json']

interface PolicyRequest {
  appCode: string
  query: { prune?: 'true'; assignments?: 'true' }
  body: Body
}

/** Includes assignments if the file has them. @throws Failure */
async function requestFor(file: string, prune: boolean | undefined): Promise<PolicyRequest> {
  const content = await readPolicyFile(file)
  if (!isObject(content) || typeof content.application !== 'string') {
    throw usageFailure(`${file} must name its application in the field application`)
  }
  const hasAssignments = (content.assignments ?? null) !== null
  const query = {
    ...(prune && { prune: 'true' as const }),
    ...(hasAssignments && { assignments: 'true' as const }),
  }
  // The service validates it.
  return { appCode: content.application, query, body: content as Body }
}

function planOf({ api }: Session, { appCode, query, body }: PolicyRequest): Promise<Plan> {
  const path = '/api/applications/{appCode}/policy/plan'
  return unwrapData(api.POST(path, { params: { path: { appCode }, query }, body }))
}

async function test(
  session: Session,
  policyFile: string,
  testsFile: string,
  { junit }: TestOptions
): Promise<void> {
  const content = await readPolicyFile(policyFile)
  const tests = await readPolicyFile(testsFile)
  const results = await naming(`${policyFile}, ${testsFile}`, () => testPolicy(content, tests))
  if (junit !== undefined) write(junit, junitReport(policyFile, results))
  if (session.options.output === 'table') session.text(testReport(results))
  else session.print(results)
  if (results.some(({ failures }) => failures.length > 0)) process.exitCode = EXIT.negative
}

/** @throws Failure */
function write(path: string, text: string) {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw usageFailure(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`)
  }
}
