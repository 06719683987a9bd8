/** Charts that go with notifications: the metric of an alert, and what it is compared with. */
@NullMarked
package io.peerlens.notify.chart;

import org.jspecify.annotations.NullMarked;
