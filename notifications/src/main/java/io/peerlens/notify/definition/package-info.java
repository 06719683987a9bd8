/** What templates, rules, targets, silences and lookup tables of notifications have in common. */
@NullMarked
package io.peerlens.notify.definition;

import org.jspecify.annotations.NullMarked;
