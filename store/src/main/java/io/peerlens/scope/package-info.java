/**
 * Scopes of rules: conditions on kind, group, tags, properties, name and place, with exceptions;
 * and groups, which are scopes with a name.
 */
@NullMarked
package io.peerlens.scope;

import org.jspecify.annotations.NullMarked;
