import { defineProblem } from '#core/exceptions/problem'

export const NotificationTypeNotFound = defineProblem(
  'NOTIFICATION_TYPE_NOT_FOUND',
  404,
  'No such notification type'
)
export const NotificationTypeExists = defineProblem(
  'NOTIFICATION_TYPE_EXISTS',
  409,
  'The application has a notification type with this code'
)
export const TooManyNotificationTypes = defineProblem(
  'TOO_MANY_NOTIFICATION_TYPES',
  409,
  'The application has reached its maximum number of notification types',
  'Delete notification types that are no longer in use.'
)
export const TypeProtected = defineProblem(
  'TYPE_PROTECTED',
  409,
  'The service itself needs this notification type as it is'
)
export const SystemType = defineProblem(
  'SYSTEM_TYPE',
  403,
  'This request cannot change or send system notification types',
  "Global panel admins and super admins edit system types in the admin panel; broadcasts cannot send them. Set `INTERNAL_KEY_EDITS_SYSTEM_TYPES=true` to allow the platform's key."
)
export const TemplateNotFound = defineProblem('TEMPLATE_NOT_FOUND', 404, 'No such template')
export const TemplateExists = defineProblem(
  'TEMPLATE_EXISTS',
  409,
  'The notification type has a template with this key'
)
export const TooManyTemplates = defineProblem(
  'TOO_MANY_TEMPLATES',
  409,
  'The application has reached its maximum number of templates',
  'Delete templates that are no longer in use.'
)
export const TemplateVersionNotFound = defineProblem(
  'TEMPLATE_VERSION_NOT_FOUND',
  404,
  'The template has no version in this language'
)
export const RenderedTooLarge = defineProblem(
  'RENDERED_TOO_LARGE',
  400,
  'With this data the message becomes too large to send'
)
export const TemplateTooComplex = defineProblem(
  'TEMPLATE_TOO_COMPLEX',
  400,
  'The template takes too much time or memory to prepare',
  'Shorten the body, nest fewer elements, or simplify its style sheets: use fewer rules and shorter selectors.'
)
export const UnknownNotificationType = defineProblem(
  'UNKNOWN_NOTIFICATION_TYPE',
  400,
  'A notification type of the request does not exist'
)
export const PreferenceLocked = defineProblem(
  'PREFERENCE_LOCKED',
  403,
  'People cannot switch notifications of this type'
)
export const SubscriptionNotFound = defineProblem(
  'SUBSCRIPTION_NOT_FOUND',
  404,
  'No such push subscription'
)
export const NotificationNotFound = defineProblem(
  'NOTIFICATION_NOT_FOUND',
  404,
  'No such notification'
)
export const EndpointTaken = defineProblem(
  'ENDPOINT_TAKEN',
  409,
  "This push endpoint belongs to another user's browser",
  'Unsubscribe in the browser (`PushSubscription.unsubscribe()`) and subscribe again to get a new endpoint.'
)
export const PushNotConfigured = defineProblem(
  'PUSH_NOT_CONFIGURED',
  503,
  'This installation has no keys for Web Push',
  'The operator sets `VAPID_PUBLIC_KEY` and `VAPID_PRIVATE_KEY`.'
)

export const SecretExposed = defineProblem(
  'SECRET_EXPOSED',
  400,
  'The template would send a sign-in code or link to another host',
  'Use codes and links in text, apart from addresses and other variables, as a complete link, `<a href="{{url}}">`, or as the value of a parameter in a link to a login page of the identity provider (a path under `/ui/`, no parameter that says where to continue); styles must not load anything. `details` names the variable, the field and the line.'
)

const TemplateSyntaxProblem = defineProblem(
  'TEMPLATE_SYNTAX',
  400,
  'The template holds something other than text and plain placeholders',
  'Use `{{name}}` and dotted paths only; `details.line` says where the template holds something else.'
)
const TemplateRequiredProblem = defineProblem(
  'TEMPLATE_REQUIRED',
  400,
  'The notification type has several templates, so the request must name one',
  'Name one of `details.available` as `template`.'
)
const UnknownTemplateProblem = defineProblem(
  'UNKNOWN_TEMPLATE',
  400,
  'The notification type has no template with this key',
  'Use one of `details.available`.'
)
const MissingVariablesProblem = defineProblem(
  'MISSING_TEMPLATE_VARIABLES',
  400,
  'Variables that the template requires are missing',
  'Send the variables that `details.missing` names; null and empty text do not count.'
)

export class TemplateSyntax extends TemplateSyntaxProblem {
  /** @param line where in the template, counted from 1 */
  constructor(detail: string, line: number, cause?: unknown) {
    super({ detail, details: { line }, cause })
  }
}

export class TemplateRequired extends TemplateRequiredProblem {
  constructor(available: string[]) {
    super({ details: { available } })
  }
}

export class UnknownTemplate extends UnknownTemplateProblem {
  constructor(available: string[]) {
    super({ details: { available } })
  }
}

export class MissingTemplateVariables extends MissingVariablesProblem {
  constructor(missing: string[]) {
    super({ details: { missing } })
  }
}
