import vine from '@vinejs/vine'
import { LimitedErrorReporter } from '#core/validation/limited_error_reporter'
import { WordedMessages } from '#core/validation/worded_messages'

/** Validators copy these when they are created, so they must be imported before them. */
vine.messagesProvider = new WordedMessages()
vine.errorReporter = () => new LimitedErrorReporter()
