/**
 * Definitions of notifications, their storage and their API: rules, targets, templates, silences
 * and lookup tables.
 */
@NullMarked
package io.peerlens.notify.definition;

import org.jspecify.annotations.NullMarked;
