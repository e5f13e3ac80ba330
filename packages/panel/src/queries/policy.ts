import type { components } from '@concierge/client'
import { useQueryClient } from '@tanstack/vue-query'
import { type MaybeRefOrGetter, computed, toValue } from 'vue'
import { type Api, api, ifMatch } from '@/api/client'
import { type PageOfRows, usePages } from '@/api/paged'
import type { Problem } from '@/api/problem'
import { FLIPS_PER_PAGE, type Flip, type FlipCounts, flipPageOf } from '@/queries/flips'
import { useChange } from '@/queries/use_change'

export type PolicyChange = components['schemas']['PolicyChange']

/** A document, and how it is to be understood. */
export interface PolicyRequest {
  /** YAML, which JSON is, too. */
  text: string
  /** Also removes what is not in the document. */
  prune: boolean
  /** Also applies the assignments in the document. */
  assignments: boolean
}

interface PlanOfPage {
  counts: FlipCounts
  /** Of the stored policy that it is about. */
  revision: string
  changes: PolicyChange[]
}

export type Plan = PageOfRows<Flip> & PlanOfPage

const POLICY = '/api/applications/{appCode}/policy'
const PLAN = `${POLICY}/plan` as const
const YAML = 'application/yaml'

export type PolicyFormat = 'yaml' | 'json'

/** What an application defines, as the text of a file. */
export async function exportPolicy(appCode: string, format: PolicyFormat, assignments: boolean) {
  const params = {
    path: { appCode },
    query: { ...(assignments && { assignments: 'true' as const }) },
  }
  if (format === 'yaml') {
    const request = { params, headers: { accept: YAML }, parseAs: 'text' as const }
    return String((await api.GET(POLICY, request)).data)
  }
  const { data } = await api.GET(POLICY, { params })
  return `${JSON.stringify((data as { data: unknown }).data, null, 2)}\n`
}

const queryOf = ({ prune, assignments }: PolicyRequest) => ({
  ...(prune && { prune: 'true' as const }),
  ...(assignments && { assignments: 'true' as const }),
})

/** The document as it was written, so that a problem has its place in it. */
const bodyOf = ({ text }: PolicyRequest) => ({
  headers: { 'content-type': YAML },
  body: text as never,
  bodySerializer: String,
})

const keyOf = (appCode: string) => ['access', appCode, 'plan']

/** What a document would change, and what that means for people, a page of them at a time. */
export const usePlan = (appCode: string, request: MaybeRefOrGetter<PolicyRequest | null>) =>
  usePages<Flip, PlanOfPage>(
    computed(() => [...keyOf(appCode), toValue(request)]),
    async (cursor, signal): Promise<Plan> => {
      const asked = toValue(request)!
      const query = { ...queryOf(asked), limit: FLIPS_PER_PAGE, ...(cursor && { cursor }) }
      const params = { path: { appCode }, query }
      const { data } = await api.POST(PLAN, { params, ...bodyOf(asked), signal })
      const { revision, changes, ...flips } = data!.data
      return { ...flipPageOf(flips), revision, changes }
    },
    () => toValue(request) !== null,
    { staleTime: Infinity }
  )

/** Stores everything or nothing; 412 if the policy has changed since the plan with the revision. */
export const applyPolicy = (
  target: Api,
  appCode: string,
  request: PolicyRequest,
  revision: string
) =>
  target.PUT(POLICY, {
    params: { path: { appCode }, query: queryOf(request), ...ifMatch(`"${revision}"`) },
    ...bodyOf(request),
  })

export function useApplyPolicy(
  appCode: string,
  options: {
    done: () => string
    onSuccess: () => unknown
    /** The policy has changed since the plan. */
    onStale: () => unknown
    onProblem: (problem: Problem) => unknown
  }
) {
  const queries = useQueryClient()
  const planAgain = () => queries.invalidateQueries({ queryKey: keyOf(appCode) })
  return useChange(
    (target, { revision, ...request }: PolicyRequest & { revision: string }) =>
      applyPolicy(target, appCode, request, revision),
    {
      // A document can change everything in the application.
      refresh: [[]],
      done: options.done,
      onSuccess: options.onSuccess,
      onProblem(problem) {
        if (problem.status === 412) {
          void planAgain()
          options.onStale()
        } else options.onProblem(problem)
        return true
      },
    }
  )
}
