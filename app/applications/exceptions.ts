import { defineProblem } from '#core/exceptions/problem'

export const ApplicationNotFound = defineProblem(
  'APPLICATION_NOT_FOUND',
  404,
  'No such application'
)
export const ApplicationExists = defineProblem(
  'APPLICATION_EXISTS',
  409,
  'An application with this code exists'
)
export const TooManyApplications = defineProblem(
  'TOO_MANY_APPLICATIONS',
  409,
  'The platform has reached its maximum number of applications',
  'Delete applications that are no longer in use; `details.limit` is the maximum.'
)
export const ApplicationProtected = defineProblem(
  'APPLICATION_PROTECTED',
  409,
  'The service itself needs this application, so it cannot be deleted'
)
export const PanelProtected = defineProblem(
  'PANEL_PROTECTED',
  409,
  'The admin panel itself needs this as it is',
  'Change names and descriptions, or add permissions, roles and entities of your own.'
)
export const EntityNotFound = defineProblem('ENTITY_NOT_FOUND', 404, 'No such entity')
export const EntityExists = defineProblem(
  'ENTITY_EXISTS',
  409,
  'The application has an entity with this code'
)
export const TooManyEntities = defineProblem(
  'TOO_MANY_ENTITIES',
  409,
  'The application has reached its maximum number of entities',
  'Delete entities that are no longer in use. An entity is a kind of resource, not a single one.'
)
export const EntityInUse = defineProblem(
  'ENTITY_IN_USE',
  409,
  'Assignments use this entity, so it can be neither deleted nor given another code',
  'Remove the assignments first; `details.assignments` counts them.'
)
export const EntityOriginNotAllowed = defineProblem(
  'ENTITY_ORIGIN_NOT_ALLOWED',
  400,
  'The operator has not allowed the origin of this listEndpoint',
  'The operator adds the origin to `ENTITY_ALLOWED_ORIGINS`; nobody else can.'
)
export const EntityEndpointUnreachable = defineProblem(
  'ENTITY_ENDPOINT_UNREACHABLE',
  502,
  'The listEndpoint of this entity gave no usable answer',
  'See whether the application answers its `listEndpoint`; `details.reason` says what went wrong.'
)
export const EntityHasNoEndpoint = defineProblem(
  'ENTITY_HAS_NO_ENDPOINT',
  409,
  'The entity has no listEndpoint to read items from'
)
export const KeyNotFound = defineProblem('KEY_NOT_FOUND', 404, 'No such key')
export const TooManyKeys = defineProblem(
  'TOO_MANY_KEYS',
  409,
  'The application has reached its maximum number of keys',
  'Delete keys that are no longer in use; `lastUsedAt` shows when each was last used.'
)
export const InstanceNotFound = defineProblem('INSTANCE_NOT_FOUND', 404, 'No such instance')
export const TooManyInstances = defineProblem(
  'TOO_MANY_INSTANCES',
  409,
  'The application has reached its maximum number of instances',
  'Delete instances that are no longer in use.'
)
export const InstanceChanged = defineProblem(
  'INSTANCE_CHANGED',
  409,
  'The URLs of the instance have changed since you reviewed them',
  'Read the instance again and approve its current URLs if you trust them.'
)
export const InstanceExists = defineProblem(
  'INSTANCE_EXISTS',
  409,
  'The application has an instance with this name'
)
