import vine from '@vinejs/vine'
import { LimitedErrorReporter } from '#core/validation/limited_error_reporter'

/** Validators copy this when they are created, so it must be imported before them. */
vine.errorReporter = () => new LimitedErrorReporter()
