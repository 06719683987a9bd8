/**
 * Meaning of events: which of them are changes of which object, in which words; which are alarms.
 */
@NullMarked
package io.peerlens.event.mapping;

import org.jspecify.annotations.NullMarked;
