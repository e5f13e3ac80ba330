import { appUrl } from '#config/app'

/** What an application's policy decision point says about itself (authzen.md#discovery). */
export interface DecisionPointMetadata {
  /** The base of the endpoints. */
  policy_decision_point: string
  access_evaluation_endpoint: string
  access_evaluations_endpoint: string
}

export function decisionPointOf(appCode: string): DecisionPointMetadata {
  const base = `${appUrl.replace(/\/$/, '')}/api/authzen/${encodeURIComponent(appCode)}`
  return {
    policy_decision_point: base,
    access_evaluation_endpoint: `${base}/access/v1/evaluation`,
    access_evaluations_endpoint: `${base}/access/v1/evaluations`,
  }
}
