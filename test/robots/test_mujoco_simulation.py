"""The physics against Pinocchio and textbooks; drives and sensors against their promises."""

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from controlit_ros.constraints import Coupling
from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots import RobotInterfaceError
from controlit_ros.robots.mujoco_simulation import Simulation

STEP = 0.001  # [s]
IMPOSSIBLE_TOOL = """<link name="tool"><inertial><mass value="1"/>
    <inertia ixx="0" ixy="0" ixz="0" iyy="-1e-5" iyz="0" izz="0"/></inertial></link>"""


def balance(inertia):
    """Return an inertia MuJoCo accepts: the mean of principal moments no body can have."""
    moments = np.linalg.eigvalsh(inertia.inertia)
    if moments[0] + moments[1] >= moments[2]:
        return inertia
    return pin.Inertia(inertia.mass, inertia.lever, moments.mean() * np.eye(3))


def pinocchio_model(setup, root=None):
    arguments = [] if root is None else [root]
    model = pin.buildModelFromXML(setup.urdf, *arguments)
    for i, inertia in enumerate(model.inertias):
        model.inertias[i] = balance(inertia)
    model.armature[-len(setup.joint_names) :] = setup.reflected_inertia
    model.gravity.linear[:] = setup.gravity
    return model


def random_state(model, generator):
    """Draw positions away from the limits, velocities and efforts."""
    lower, upper = model.lowerPositionLimit, model.upperPositionLimit
    position = lower + (0.1 + 0.8 * generator.random(model.nq)) * (upper - lower)
    return position, generator.normal(size=model.nv), 10 * generator.normal(size=model.nv)


def command(setup, effort=0.0):
    result = Command(setup.command_names)
    result.effort[:] = effort
    return result


def measure(simulation):
    state = RobotState(simulation.setup.joint_names)
    simulation.state(state)
    return state


class TestPhysics:
    def test_acceleration_of_the_fixed_robot_is_that_of_the_articulated_body_algorithm(
        self, dreamer, options_for
    ):
        setup = dreamer._replace(couplings=())
        simulation = Simulation(setup, options_for(setup))
        model = pinocchio_model(setup)
        data = model.createData()
        generator = np.random.default_rng(1)
        for _ in range(50):
            q, v, effort = random_state(model, generator)
            simulation.data.qpos[:] = q
            simulation.data.qvel[:] = v
            simulation.data.qfrc_applied[:] = effort
            mujoco.mj_forward(simulation.model, simulation.data)
            expected = pin.aba(model, data, q, v, effort)
            np.testing.assert_allclose(simulation.data.qacc, expected, rtol=1e-7, atol=1e-7)

    def test_acceleration_of_the_floating_robot_is_that_of_the_articulated_body_algorithm(
        self, dreamer, options_for
    ):
        setup = dreamer._replace(couplings=(), fixed_base=False)
        simulation = Simulation(setup, options_for(setup))
        model = pinocchio_model(setup, pin.JointModelFreeFlyer())
        data = model.createData()
        generator = np.random.default_rng(2)
        fixed = pinocchio_model(setup)
        for _ in range(50):
            q = np.empty(model.nq)
            q[:3] = generator.normal(size=3)
            orientation = generator.normal(size=4)
            q[3:7] = orientation / np.linalg.norm(orientation)
            q[7:] = random_state(fixed, generator)[0]
            v = generator.normal(size=model.nv)
            effort = 10 * generator.normal(size=model.nv)
            effort[:6] = 0.0
            world_from_base = pin.Quaternion(q[3:7]).toRotationMatrix()
            simulation.data.qpos[:] = q
            simulation.data.qpos[3:7] = q[[6, 3, 4, 5]]
            simulation.data.qvel[:] = v
            simulation.data.qvel[:3] = world_from_base @ v[:3]
            simulation.data.qfrc_applied[:] = effort
            mujoco.mj_forward(simulation.model, simulation.data)
            expected = pin.aba(model, data, q, v, effort)
            expected[:3] = world_from_base @ (expected[:3] + np.cross(v[3:6], v[:3]))
            np.testing.assert_allclose(simulation.data.qacc, expected, rtol=1e-6, atol=1e-6)

    def test_published_wrist_inertias_change_little_by_balancing(self, dreamer):
        raw = pin.buildModelFromXML(dreamer.urdf)
        raw.armature[:] = dreamer.reflected_inertia
        balanced = pinocchio_model(dreamer)
        q = np.zeros(raw.nq)
        difference = pin.crba(raw, raw.createData(), q) - pin.crba(
            balanced, balanced.createData(), q
        )
        assert 0.0 < np.abs(difference).max() < 1e-3  # [kg m²]

    def test_free_fall_of_the_base(self, dreamer, options_for):
        setup = dreamer._replace(fixed_base=False)
        simulation = Simulation(setup, options_for(setup))
        simulation.apply(command(setup))
        for _ in range(100):
            simulation.step()
        # Nothing holds the joints: the robot falls like a stone and keeps its posture.
        state = measure(simulation)
        np.testing.assert_allclose(state.base_velocity, [0, 0, -0.981, 0, 0, 0], atol=1e-9)
        np.testing.assert_allclose(state.base_position[2], -0.5 * 9.81 * 0.1**2, rtol=0.02)
        np.testing.assert_allclose(state.position, 0.0, atol=1e-9)

    def test_base_velocity_is_in_the_axes_of_the_root_link(self, dreamer, options_for):
        setup = dreamer._replace(fixed_base=False, gravity=(0.0, 0.0, 0.0))
        simulation = Simulation(setup, options_for(setup))
        simulation.apply(command(setup))
        half = np.sqrt(0.5)
        simulation.data.qpos[3:7] = [half, 0, 0, half]  # wxyz: a quarter turn about z
        simulation.data.qvel[:3] = [0.0, 2.0, 0.0]
        simulation.step()
        state = measure(simulation)
        np.testing.assert_allclose(state.base_velocity[:3], [2.0, 0.0, 0.0], atol=1e-6)
        np.testing.assert_allclose(state.base_orientation, [0, 0, half, half], atol=1e-6)

    @pytest.mark.parametrize("is_fixed", [True, False])
    def test_a_floating_joint_of_the_description_is_the_base(self, cart, options_for, is_fixed):
        """The same robot, whether its description names the world or not."""
        named = (
            '<robot name="cart"><link name="odom"/><link name="mark"/>'
            '<joint name="free" type="floating"><parent link="odom"/><child link="rail"/></joint>'
            '<joint name="marked" type="fixed"><parent link="odom"/><child link="mark"/></joint>'
        )
        states = []
        for start in ('<robot name="cart">', named):
            urdf = cart.urdf.replace('<robot name="cart">', start)
            setup = cart._replace(urdf=urdf, fixed_base=is_fixed, gravity=(0.0, 0.0, -9.81))
            simulation = Simulation(setup, options_for(setup))
            simulation.apply(command(setup, (1.0, 2.0)))
            for _ in range(200):
                simulation.step()
            states.append(measure(simulation).vector)
        np.testing.assert_array_equal(*states)

    def test_prismatic_and_continuous_joints(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart))
        simulation.apply(command(cart, [3.0, 2.0]))
        simulation.step()
        # 3 N on 3 kg; 2 N m on the wheel and its rotor.
        np.testing.assert_allclose(measure(simulation).velocity, [STEP, 2 * STEP], rtol=1e-9)
        for _ in range(5000):
            simulation.apply(command(cart, [0.0, 2.0]))
            simulation.step()
        assert measure(simulation).position[1] > 2 * np.pi  # no wrap

    def test_limits_hold(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart))
        for _ in range(3000):
            simulation.apply(command(cart, [30.0, 0.0]))
            simulation.step()
        assert measure(simulation).position[0] == pytest.approx(1.0, abs=0.01)

    def test_links_keep_their_names(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart))
        names = [simulation.model.body(i).name for i in range(simulation.model.nbody)]
        assert names == ["world", "rail", "cart", "wheel", "tool"]

    def test_links_without_inertia_and_impossible_inertias_are_accepted(self, cart, options_for):
        text = cart.urdf.replace('<link name="tool"/>', IMPOSSIBLE_TOOL)
        start = text.index('<link name="cart">') + len('<link name="cart">')
        end = text.index("</inertial>", start) + len("</inertial>")
        text = text[:start] + text[end:]  # wheel 1 kg and tool 1 kg remain
        setup = cart._replace(urdf=text)
        simulation = Simulation(setup, options_for(setup))
        simulation.apply(command(setup, [1.0, 0.0]))
        simulation.step()
        assert measure(simulation).velocity[0] == pytest.approx(STEP / 2.0, rel=1e-6)

    def test_transmissions_are_those_of_the_setup_alone(self, cart, options_for):
        mimic = '<mimic joint="slide" multiplier="3"/></joint>'
        text = cart.urdf.replace('velocity="1"/></joint>\n  <joint name="mount"', "@")
        text = text.replace("@", f'velocity="1"/>{mimic}\n  <joint name="mount"')
        assert mimic in text
        for couplings, expected in (((), 0), ((Coupling("slide", "turn", 3.0, 0.0),), 1)):
            setup = cart._replace(urdf=text, couplings=couplings)
            assert Simulation(setup, options_for(setup)).model.neq == expected

    def test_neighbours_do_not_collide(self, dreamer, options_for):
        simulation = Simulation(dreamer, options_for(dreamer, collisions=True))
        assert simulation.model.ngeom > 0
        assert simulation.data.ncon == 0

    def test_links_collide_on_demand(self, dreamer, options_for):
        posture = np.zeros(len(dreamer.joint_names))
        posture[dreamer.joint_names.index("left_shoulder_abductor")] = -0.4
        for collisions in (False, True):
            simulation = Simulation(
                dreamer,
                options_for(dreamer, collisions=collisions, initial_position=tuple(posture)),
            )
            assert (simulation.data.ncon > 0) is collisions

    def test_push(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart))
        simulation.apply(command(cart))
        simulation.push("cart", [6.0, 0.0, 0.0], 0.05)
        for _ in range(90):
            simulation.step()
        assert measure(simulation).velocity[0] == pytest.approx(6.0 / 3.0 * 0.05, rel=1e-9)

    def test_push_names_an_unknown_link(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart))
        with pytest.raises(RobotInterfaceError, match="nose"):
            simulation.push("nose", [0, 0, 1], 1.0)

    def test_friction_stops_a_joint(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart, joint_friction=(1.0, 0.0)))
        for _ in range(200):
            simulation.apply(command(cart, [0.9, 0.0]))
            simulation.step()
        assert abs(measure(simulation).velocity[0]) < 1e-3

    def test_damping_sets_the_terminal_velocity(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart, joint_damping=(0.0, 20.0)))
        for _ in range(1000):
            simulation.apply(command(cart, [0.0, 2.0]))
            simulation.step()
        assert measure(simulation).velocity[1] == pytest.approx(0.1, rel=1e-3)


class TestTransmission:
    def test_slave_follows_in_motion(self, dreamer, options_for):
        simulation = Simulation(dreamer, options_for(dreamer))
        generator = np.random.default_rng(3)
        limits = np.array([200, 40, 40, 20, 20, 4, 8, 8, 40, 40, 20, 20, 4, 8, 8])
        worst = 0.0
        travel = 0.0
        for step in range(3000):
            if step % 100 == 0:
                effort = 0.5 * limits * generator.normal(size=limits.size)
            simulation.apply(command(dreamer, effort))
            simulation.step()
            lower, upper = measure(simulation).position[:2]
            worst = max(worst, abs(upper - lower))
            travel = max(travel, abs(lower))
        assert travel > 0.3
        assert worst < 1e-3

    @pytest.mark.parametrize(("ratio", "offset"), [(1.0, 0.0), (-0.5, 0.1)])
    def test_load_appears_on_both_joints(self, dreamer, options_for, ratio, offset):
        pair = Coupling("torso_lower_pitch", "torso_upper_pitch", ratio, offset)
        setup = dreamer._replace(couplings=(pair,))
        simulation = Simulation(setup, options_for(setup))
        model = pinocchio_model(setup)
        data = model.createData()
        J = np.zeros((1, model.nv))
        J[0, :2] = -ratio, 1.0
        generator = np.random.default_rng(4)
        for _ in range(20):
            q, v, effort = random_state(model, generator)
            q[1] = ratio * q[0] + offset
            v[1] = ratio * v[0]
            simulation.data.qpos[:] = q
            simulation.data.qvel[:] = v
            simulation.data.qfrc_applied[:] = effort
            simulation.model.jnt_limited[:] = 0
            mujoco.mj_forward(simulation.model, simulation.data)
            # Gauss: of all accelerations with J a = 0, the nearest to the free one.
            free = pin.aba(model, data, q, v, effort)
            A = pin.crba(model, data, q)
            mobility = J @ np.linalg.solve(A, J.T)
            force = -np.linalg.solve(mobility, J @ free)
            expected = free + np.linalg.solve(A, J.T @ force)
            scale = np.abs(expected).max()
            np.testing.assert_allclose(simulation.data.qacc, expected, atol=1e-3 * scale)
            reaction = simulation.data.qfrc_constraint
            np.testing.assert_allclose(
                reaction, J.T @ force, atol=1e-3 * np.abs(force).max() + 1e-9
            )
            assert reaction[0] == pytest.approx(-ratio * reaction[1], rel=1e-9)

    def test_energy_is_conserved(self, dreamer, options_for):
        start = tuple(0.3 if name == "torso_lower_pitch" else 0.0 for name in dreamer.joint_names)
        simulation = Simulation(
            dreamer,
            options_for(dreamer, timestep=1e-4, initial_position=start, command_timeout=9.0),
        )
        simulation.model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
        simulation.model.jnt_limited[:] = 0
        simulation.apply(command(dreamer))
        energies, kinetic = [], []
        for _ in range(5000):
            simulation.step()
            energies.append(simulation.data.energy.sum())
            kinetic.append(simulation.data.energy[1])
        assert max(kinetic) > 20.0  # [J] there is motion
        drift = max(energies) - min(energies)
        assert drift < 5e-3 * max(kinetic)

    def test_initial_posture_satisfies_the_transmission(self, dreamer, options_for):
        start = tuple(0.3 if name == "torso_lower_pitch" else 0.0 for name in dreamer.joint_names)
        simulation = Simulation(dreamer, options_for(dreamer, initial_position=start))
        np.testing.assert_array_equal(measure(simulation).position[:2], 0.3)


class TestDrives:
    def test_brakes_hold_until_the_first_command(self, dreamer, options_for):
        simulation = Simulation(dreamer, options_for(dreamer))
        for _ in range(100):
            simulation.step()
        state = measure(simulation)
        assert state.sequence == 101
        assert state.stamp == pytest.approx(0.1)
        np.testing.assert_array_equal(state.position, 0.0)
        simulation.apply(command(dreamer))
        simulation.step()
        assert np.abs(measure(simulation).velocity).max() > 0.0

    def test_effort_is_limited_and_reported(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart))
        simulation.apply(command(cart, [1000.0, -1000.0]))
        simulation.step()
        state = measure(simulation)
        np.testing.assert_allclose(state.effort, [30.0, -4.0])
        np.testing.assert_allclose(state.acceleration, [10.0, -4.0])

    def test_command_order_is_not_joint_order(self, cart, options_for):
        setup = cart._replace(command_names=("turn", "slide"))
        simulation = Simulation(setup, options_for(setup))
        simulation.apply(command(setup, [1.0, 3.0]))
        simulation.step()
        np.testing.assert_allclose(measure(simulation).effort, [3.0, 1.0])

    def test_joint_gains(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart))
        impedance = Command(cart.command_names, with_motion=True, with_gains=True)
        impedance.position[:] = 0.4, 1.5
        impedance.stiffness[:] = 100.0
        impedance.damping[:] = 20.0
        for _ in range(3000):
            simulation.apply(impedance)
            simulation.step()
        np.testing.assert_allclose(measure(simulation).position, [0.4, 1.5], atol=1e-3)

    def test_commands_that_are_not_finite_are_ignored(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart))
        simulation.apply(command(cart, 1.0))
        simulation.step()
        simulation.apply(command(cart, np.nan))
        simulation.step()
        np.testing.assert_allclose(measure(simulation).effort, 1.0)

    def test_drives_fall_back_after_the_timeout_and_recover(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart, command_timeout=0.02))
        simulation.apply(command(cart, [0.0, 4.0]))
        for step in range(21):  # the command and 20 steps without one
            simulation.step()
            assert not simulation.fallen_back, step
            assert measure(simulation).effort[1] == 4.0
        speed = measure(simulation).velocity[1]
        simulation.step()
        assert simulation.fallen_back
        assert measure(simulation).effort[1] == 0.0
        for _ in range(1000):
            simulation.step()
        # Inertia 1 kg m² and 5 N m s/rad for a second.
        assert measure(simulation).velocity[1] == pytest.approx(speed * np.exp(-5.0), rel=0.05)
        simulation.apply(command(cart, [0.0, 1.0]))
        simulation.step()
        assert not simulation.fallen_back
        assert measure(simulation).acceleration[1] == pytest.approx(1.0, rel=1e-6)

    def test_command_delay_is_exact(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart, command_delay=0.007))
        simulation.apply(command(cart, [3.0, 0.0]))
        for _ in range(7):
            simulation.step()
            assert measure(simulation).velocity[0] == 0.0
        simulation.step()
        assert measure(simulation).velocity[0] == pytest.approx(STEP)

    def test_divergence_is_an_error(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart))
        simulation.apply(command(cart))
        simulation.data.qvel[0] = np.nan
        mujoco.set_mju_user_warning(lambda _: None)
        try:
            with pytest.raises(RobotInterfaceError, match="diverged"):
                simulation.step()
        finally:
            mujoco.set_mju_user_warning(None)
        simulation.reset()
        simulation.step()


class TestSensors:
    def test_noise_has_the_stated_deviation(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart, position_noise=0.01, velocity_noise=0.2))
        positions, velocities = [], []
        for _ in range(5000):
            simulation.step()
            state = measure(simulation)
            positions.append(state.position)
            velocities.append(state.velocity)
        for samples, deviation in ((positions, 0.01), (velocities, 0.2)):
            assert np.mean(samples) == pytest.approx(0.0, abs=0.05 * deviation)
            assert np.std(samples) == pytest.approx(deviation, rel=0.05)
            white = np.ravel(samples)
            assert abs(np.mean(white[1:] * white[:-1])) < 0.05 * deviation**2

    def test_noise_is_seeded(self, cart, options_for):
        def first(seed):
            simulation = Simulation(cart, options_for(cart, position_noise=0.01, seed=seed))
            simulation.step()
            return measure(simulation).position

        np.testing.assert_array_equal(first(1), first(1))
        assert (first(1) != first(2)).all()

    def test_state_delay_is_exact(self, cart, options_for):
        prompt = Simulation(cart, options_for(cart))
        late = Simulation(cart, options_for(cart, state_delay=0.005))
        positions = [measure(prompt).position]
        for step in range(1, 50):
            for simulation in (prompt, late):
                simulation.apply(command(cart, [1.0, step]))
                simulation.step()
            positions.append(measure(prompt).position)
            state = measure(late)
            np.testing.assert_array_equal(state.position, positions[max(0, step - 5)])
            assert state.sequence == max(0, step - 5) + 1
            assert state.stamp == pytest.approx(max(0, step - 5) * STEP)

    def test_a_measurement_reflects_the_newest_command_that_took_effect(self, cart, options_for):
        simulation = Simulation(cart, options_for(cart, state_delay=0.003, command_delay=0.002))
        asked = command(cart)
        for step in range(1, 30):
            asked.sequence = 2**53 + step
            simulation.apply(asked)
            simulation.step()
            arrived = step - 5  # two steps on the way there, three on the way back
            expected = 2**53 + arrived if arrived > 0 else 0
            assert measure(simulation).reflected_sequence == expected
        simulation.reset()
        assert measure(simulation).reflected_sequence == 0

    def test_reset_repeats_everything(self, cart, options_for):
        simulation = Simulation(
            cart, options_for(cart, position_noise=0.01, state_delay=0.003, command_delay=0.002)
        )

        def run():
            states = []
            for step in range(50):
                simulation.apply(command(cart, [1.0, step]))
                simulation.step()
                states.append(measure(simulation).position)
            return np.array(states)

        first = run()
        simulation.push("cart", [1, 0, 0], 1.0)
        simulation.reset()
        assert simulation.time == 0.0
        np.testing.assert_array_equal(run(), first)


class TestErrors:
    def test_unknown_joint(self, cart, options_for):
        setup = cart._replace(command_names=("slide", "trun"))
        with pytest.raises(RobotInterfaceError, match="did you mean 'turn'"):
            Simulation(setup, options_for(setup))

    def test_initial_position_beyond_a_limit(self, cart, options_for):
        with pytest.raises(RobotInterfaceError, match=r"slide: found 2, expected -1 to 1"):
            Simulation(cart, options_for(cart, initial_position=(2.0, 0.0)))

    @pytest.mark.parametrize("urdf", ["", "<robot", "<robot name='x'/>"])
    def test_no_robot(self, cart, options_for, urdf):
        setup = cart._replace(urdf=urdf)
        with pytest.raises(RobotInterfaceError):
            Simulation(setup, options_for(setup))
