/**
 * Passwords, tokens and keys of targets and templates: encrypted in the database with a key that is
 * kept elsewhere; the API writes them and never returns them.
 */
@NullMarked
package io.peerlens.notify.secret;

import org.jspecify.annotations.NullMarked;
