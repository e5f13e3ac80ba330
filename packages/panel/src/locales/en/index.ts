import activity from './activity.json'
import administrators from './administrators.json'
import application from './application.json'
import applications from './applications.json'
import brands from './brands.json'
import broadcasts from './broadcasts.json'
import changes from './changes.json'
import deletion from './deletion.json'
import entities from './entities.json'
import flips from './flips.json'
import home from './home.json'
import instances from './instances.json'
import keys from './keys.json'
import languages from './languages.json'
import matrix from './matrix.json'
import messages from './messages.json'
import operations from './operations.json'
import overrides from './overrides.json'
import overview from './overview.json'
import people from './people.json'
import permissions from './permissions.json'
import policy from './policy.json'
import pools from './pools.json'
import provider from './provider.json'
import resources from './resources.json'
import review from './review.json'
import roles from './roles.json'
import sessions from './sessions.json'
import shell from './shell'
import suppressions from './suppressions.json'
import templates from './templates.json'
import types from './types.json'
import webhooks from './webhooks.json'
import whatif from './whatif.json'
import who from './who.json'
import why from './why.json'

/** All texts, for their types. Sections are loaded with their pages (`meta.texts` of a route). */
export default {
  ...shell,
  activity,
  administrators,
  application,
  applications,
  brands,
  broadcasts,
  changes,
  deletion,
  entities,
  flips,
  home,
  instances,
  keys,
  languages,
  matrix,
  messages,
  operations,
  overrides,
  overview,
  people,
  permissions,
  policy,
  pools,
  provider,
  resources,
  review,
  roles,
  sessions,
  suppressions,
  templates,
  types,
  webhooks,
  whatif,
  who,
  why,
}
