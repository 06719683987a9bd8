/**
 * Passwords, tokens and keys of targets and templates: sealed in the database, with a key that lies
 * elsewhere, and written but never read through the API.
 */
@NullMarked
package io.peerlens.notify.secret;

import org.jspecify.annotations.NullMarked;
