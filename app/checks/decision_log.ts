import { DecisionLog } from '#app/checks/decision_log/decision_log'
import decisionLogConfig from '#config/decision_log'

/** The decision log of this process (checks.md#decision-log). */
export const decisionLog = new DecisionLog(decisionLogConfig)
