export { type Catalog, saveInRequests } from './catalog.ts'
export { createConcierge, type Concierge, type ConciergeOptions } from './concierge.ts'
export type { CheckOptions, CheckQuestion, OwnCheckQuestion, Resource } from './checks/question.ts'
export type { NearCacheOptions, NearCacheStatistics } from './near_cache/near_cache.ts'
export type { AccessChange, Flip, Preview, PreviewPage, PreviewQuestion } from './preview.ts'
export { ConciergeProblem, type ProblemDetails } from './problem.ts'
export { revisionOf } from './revision.ts'
export type {
  Attributes,
  FoundPermissions,
  PermissionQuestion,
  ResourcePage,
  ResourceQuestion,
  Search,
  SubjectPage,
  SubjectQuestion,
} from './search.ts'
export { ConciergeUnreachable } from './unreachable.ts'
export { ifMatch, unwrap, unwrapTagged, type Tagged } from './unwrap.ts'
export type {
  CataloguedResource,
  DeliveryExplanation,
  Level,
  NotificationRequest,
  RecordedExplanation,
  SavedResources,
  SendResult,
  WebhookEvent,
} from './types.ts'
export type { components, operations, paths } from './api.ts'
