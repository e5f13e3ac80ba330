import { appUrl } from '#config/app'

/** The metadata of an application's policy decision point (authzen.md#discovery). */
export interface DecisionPointMetadata {
  /** The base of the endpoints. */
  policy_decision_point: string
  access_evaluation_endpoint: string
  access_evaluations_endpoint: string
  search_subject_endpoint: string
  search_resource_endpoint: string
  search_action_endpoint: string
}

export function decisionPointOf(appCode: string): DecisionPointMetadata {
  const base = `${appUrl.replace(/\/$/, '')}/api/authzen/${encodeURIComponent(appCode)}`
  const endpoint = (path: string) => `${base}/access/v1/${path}`
  return {
    policy_decision_point: base,
    access_evaluation_endpoint: endpoint('evaluation'),
    access_evaluations_endpoint: endpoint('evaluations'),
    search_subject_endpoint: endpoint('search/subject'),
    search_resource_endpoint: endpoint('search/resource'),
    search_action_endpoint: endpoint('search/action'),
  }
}
