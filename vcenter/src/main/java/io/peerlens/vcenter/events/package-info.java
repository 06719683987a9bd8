/** Events, tasks and alarms of a vCenter as CloudEvents. */
@NullMarked
package io.peerlens.vcenter.events;

import org.jspecify.annotations.NullMarked;
