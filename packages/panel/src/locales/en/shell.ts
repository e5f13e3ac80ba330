import common from './common.json'
import frame from './frame.json'
import problem from './problem.json'
import rule from './rule.json'
import user from './user.json'

/** The texts that every page needs. `i18n.ts` loads the others. */
export default { common, frame, problem, rule, user }
