import { defineProblem } from '#core/exceptions/problem'

export const NotificationTypeNotFound = defineProblem(
  'NOTIFICATION_TYPE_NOT_FOUND',
  404,
  'Notification type not found'
)
export const NotificationTypeExists = defineProblem(
  'NOTIFICATION_TYPE_EXISTS',
  409,
  'The application already has a notification type with this code'
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
  'The service needs this notification type, so this change is not allowed'
)
export const SystemType = defineProblem(
  'SYSTEM_TYPE',
  403,
  'This request cannot change or send system notification types',
  'Global panel admins and super admins edit system types in the admin panel. To let platform keys change and send them, set `INTERNAL_KEY_EDITS_SYSTEM_TYPES=true`. Broadcasts cannot send them.'
)
export const TemplateNotFound = defineProblem('TEMPLATE_NOT_FOUND', 404, 'Template not found')
export const TemplateExists = defineProblem(
  'TEMPLATE_EXISTS',
  409,
  'The notification type already has a template with this key'
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
export const TemplateRevisionNotFound = defineProblem(
  'TEMPLATE_REVISION_NOT_FOUND',
  404,
  'The template does not have this revision in this language',
  'The history lists the revisions that exist. Only the last 100 are kept.'
)
export const RenderedTooLarge = defineProblem(
  'RENDERED_TOO_LARGE',
  400,
  'The message is too large to send with this data'
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
  'The request contains a notification type that does not exist'
)
export const PreferenceLocked = defineProblem(
  'PREFERENCE_LOCKED',
  403,
  'Users cannot change their preference for this notification type'
)
export const TemplateInUse = defineProblem(
  'TEMPLATE_IN_USE',
  409,
  'The digests of the notification type use this template',
  'Choose another `digest.templateKey` for the type, or null for the built-in template.'
)
const DigestNotAllowedProblem = defineProblem(
  'DIGEST_NOT_ALLOWED',
  400,
  'The notification type does not offer this digest',
  'Choose one of `details.available`.'
)
export const SubscriptionNotFound = defineProblem(
  'SUBSCRIPTION_NOT_FOUND',
  404,
  'Push subscription not found'
)
export const NotificationNotFound = defineProblem(
  'NOTIFICATION_NOT_FOUND',
  404,
  'Notification not found'
)
export const EndpointTaken = defineProblem(
  'ENDPOINT_TAKEN',
  409,
  'This push endpoint belongs to another user',
  'Call `PushSubscription.unsubscribe()` in the browser and subscribe again to get a new endpoint.'
)
export const VapidKeyChanged = defineProblem(
  'VAPID_KEY_CHANGED',
  409,
  'The browser has subscribed with another VAPID key than the service has now',
  'Get the key again, call `PushSubscription.unsubscribe()` in the browser, and subscribe again.'
)
export const PushNotConfigured = defineProblem(
  'PUSH_NOT_CONFIGURED',
  503,
  'Web Push is not configured',
  'Ask the operator to set `VAPID_PUBLIC_KEY` and `VAPID_PRIVATE_KEY`.'
)

export const SecretExposed = defineProblem(
  'SECRET_EXPOSED',
  400,
  'The template could send a sign-in code or link to another host',
  'Place a code or link in one of three ways: as plain text, separate from addresses and other variables; as a complete link, `<a href="{{url}}">`; or as a parameter value in a link to a login page of the identity provider (its path starts with `/ui/`, and no parameter is a redirect target). Styles must not load anything. `details` names the variable, the field and the line.'
)

const TemplateSyntaxProblem = defineProblem(
  'TEMPLATE_SYNTAX',
  400,
  'The template must contain only text, plain placeholders and sections',
  'Use only placeholders such as `{{name}}` or `{{order.number}}`, and sections such as `{{#items}} … {{/items}}`. `details.line` is the line of the error.'
)
const TemplateRequiredProblem = defineProblem(
  'TEMPLATE_REQUIRED',
  400,
  'The notification type has several templates, so the request must name one',
  'Set `template` to one of `details.available`.'
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
  'Required template variables are missing',
  'Send the variables listed in `details.missing`. Null and empty strings count as missing.'
)

export class TemplateSyntax extends TemplateSyntaxProblem {
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

export class DigestNotAllowed extends DigestNotAllowedProblem {
  constructor(notificationTypeId: number, available: string[]) {
    super({ details: { notificationTypeId, available } })
  }
}

export class MissingTemplateVariables extends MissingVariablesProblem {
  constructor(missing: string[]) {
    super({ details: { missing } })
  }
}
