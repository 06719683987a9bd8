/** Whether a notification rule is about an alert, with every condition's outcome in words. */
@NullMarked
package io.peerlens.notify.match;

import org.jspecify.annotations.NullMarked;
