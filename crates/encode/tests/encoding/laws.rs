//! What holds for the encoding of every game, over many random positions.

use std::collections::BTreeMap;

use keisei_animal::Animal;
use keisei_chess::Chess;
use keisei_encode::{Actions, Encode, View, animal, chess, expand_batch, legal_actions, shogi};
use keisei_game::{Game, Position, SplitMix64};
use keisei_shogi::Shogi;

use crate::bijection;
use crate::sample::{Sample, random_move, start, walk};

fn packed_observations_expand_to_plainly_written_planes<G: Sample>(least: &[usize]) {
    let mut seen = BTreeMap::new();
    let mut planes = vec![f32::NAN; G::PLANES * G::SQUARES];
    walk::<G>(1, 160, 240, |game, earlier| {
        // The planes are written over what stood there before.
        G::expand(&game.pack(), &mut planes);
        assert_eq!(planes, game.plain_planes(earlier), "{}", game.notation());
        *seen.entry(earlier.min(3)).or_insert(0) += 1;
    });
    // The sample is worth something only if it has many positions of every kind.
    let enough = |(times, least): (usize, &usize)| seen.get(&times) > Some(least);
    assert!(least.iter().enumerate().all(enough), "{seen:?}");
}

#[test]
fn packed_shogi_observations_expand_to_plainly_written_planes() {
    packed_observations_expand_to_plainly_written_planes::<Shogi>(&[5000, 200, 100, 20]);
}

#[test]
fn packed_animal_observations_expand_to_plainly_written_planes() {
    // The second repetition ends the game.
    packed_observations_expand_to_plainly_written_planes::<Animal>(&[2000, 200, 20]);
}

#[test]
fn packed_chess_observations_expand_to_plainly_written_planes() {
    packed_observations_expand_to_plainly_written_planes::<Chess>(&[5000, 200, 100, 20]);
}

fn sources_give_the_same_planes<G: Sample>(view: View<G>) {
    let sources = view.sources.expect("a view with sources")();
    let attacks = view.attack_board();
    assert_eq!(sources.len(), view.planes);
    let [mut planes, mut expected] = [0; 2].map(|_| vec![f32::NAN; view.planes * G::SQUARES]);
    walk::<G>(9, 40, 240, |game, _| {
        let packed = game.pack();
        for (source, plane) in sources.iter().zip(planes.chunks_exact_mut(G::SQUARES)) {
            source.expand(packed.as_ref(), &attacks, plane);
        }
        (view.expand)(&packed, &mut expected);
        assert_eq!(planes, expected, "{}", game.notation());
    });
}

#[test]
fn the_sources_of_planes_describe_the_planes() {
    sources_give_the_same_planes::<Shogi>(View::own());
    sources_give_the_same_planes::<Chess>(View::own());
    sources_give_the_same_planes::<Animal>(View::own());
    sources_give_the_same_planes(Shogi::view(shogi::attacks::NAME).expect("a view of shogi"));
    sources_give_the_same_planes(Chess::view(chess::attacks::NAME).expect("a view of chess"));
}

fn nothing_else_is_shown<G: Sample>(views: &[View<G>], other: impl Fn(&G::Packed) -> G::Packed) {
    walk::<G>(11, 6, 200, |game, _| {
        let packed = game.pack();
        let other = other(&packed);
        assert_eq!(G::shown(&packed), G::shown(&other));
        for view in views {
            let [mut one, mut two] = [0; 2].map(|_| vec![f32::NAN; view.planes * G::SQUARES]);
            (view.expand)(&packed, &mut one);
            (view.expand)(&other, &mut two);
            assert_eq!(one, two, "{}", game.notation());
        }
    });
}

#[test]
fn no_view_shows_more_than_the_bytes_that_are_said_to_be_shown() {
    let views = ["attacks", "dlshogi"].map(|name| Shogi::view(name).expect("a view of shogi"));
    nothing_else_is_shown::<Shogi>(&[&[View::own()], &views[..]].concat(), |packed| {
        let mut bytes = [0; 100];
        bytes.copy_from_slice(packed.as_ref());
        bytes[98..].copy_from_slice(&(packed.move_count() + 2).to_le_bytes());
        shogi::Packed::from_bytes(bytes).expect("another number of moves")
    });
    let views = [View::own(), Chess::view("attacks").expect("a view of chess")];
    nothing_else_is_shown::<Chess>(&views, |packed| {
        let mut bytes = [0; 72];
        bytes.copy_from_slice(packed.as_ref());
        bytes[70..].copy_from_slice(&(packed.move_count() + 2).to_le_bytes());
        chess::Packed::from_bytes(bytes).expect("another number of moves")
    });
}

#[test]
fn a_batch_has_the_planes_of_each_observation() {
    let mut observations = Vec::new();
    let mut expected = Vec::new();
    walk::<Shogi>(2, 4, 100, |game, _| {
        observations.push(game.pack());
        expected.extend(game.planes());
    });
    let mut planes = vec![f32::NAN; expected.len()];
    expand_batch::<Shogi>(&observations, &mut planes);
    assert_eq!(planes, expected);
}

fn numbers_lead_back_to_moves<A: Actions<Game: Sample>>() {
    walk::<A::Game>(3, 12, 60, |game, _| {
        let position = game.position();
        let actions = legal_actions::<A>(position);
        assert_eq!(actions.len(), position.count_legal_moves());
        for (index, mv) in actions {
            assert_eq!(A::find(position, index), Some(mv), "{}", game.notation());
        }
        assert_eq!(A::find(position, A::COUNT), None);
    });
}

#[test]
fn every_legal_move_is_found_by_its_number() {
    numbers_lead_back_to_moves::<shogi::Compact>();
    numbers_lead_back_to_moves::<shogi::Full>();
    numbers_lead_back_to_moves::<chess::AlphaZero>();
    numbers_lead_back_to_moves::<animal::Arrivals>();
}

fn no_two_legal_moves_share_a_number<A: Actions<Game: Sample>>() {
    let tally = bijection::check::<A>(A::Game::STARTS, 4, 30_000);
    assert!(tally.moves > 300_000, "{tally:?}");
}

#[test]
fn no_two_legal_moves_of_a_random_position_share_a_number() {
    no_two_legal_moves_share_a_number::<shogi::Compact>();
    no_two_legal_moves_share_a_number::<shogi::Full>();
    no_two_legal_moves_share_a_number::<chess::AlphaZero>();
    no_two_legal_moves_share_a_number::<animal::Arrivals>();
}

#[test]
fn the_position_with_the_most_legal_moves_has_a_number_for_each() {
    let most = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    assert_eq!(bijection::check::<shogi::Compact>(&[most], 0, 1).moves, 593);
    assert_eq!(bijection::check::<shogi::Full>(&[most], 0, 1).moves, 593);
    let most = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    assert_eq!(bijection::check::<chess::AlphaZero>(&[most], 0, 1).moves, 218);
}

/// Plays a random game and its image side by side, and shows both in every position.
fn walk_in_pairs<G: Sample>(
    games: usize,
    image: impl Fn(&G) -> Option<G>,
    image_move: impl Fn(G::Move) -> G::Move,
    mut show: impl FnMut(&G, &G),
) {
    let mut rng = SplitMix64::new(5);
    for number in 0..games {
        let mut game = start::<G>(number / 2 % G::STARTS.len());
        let Some(mut twin) = image(&game) else { continue };
        for _ in 0..150 {
            show(&game, &twin);
            let Some(mv) = random_move(&game, &mut rng, if number % 2 == 0 { 0 } else { 60 })
            else {
                break;
            };
            game.play_unchecked(mv);
            twin.play_unchecked(image_move(mv));
        }
        show(&game, &twin);
    }
}

/// The numbers of the legal moves, in order.
fn numbers<A: Actions>(game: &A::Game, of: impl Fn(usize) -> usize) -> Vec<usize> {
    let legal = legal_actions::<A>(game.position());
    let mut numbers: Vec<_> = legal.into_iter().map(|(index, _)| of(index)).collect();
    numbers.sort_unstable();
    numbers
}

fn a_mirrored_game_is_the_mirror_of_the_game<A: Actions<Game: Sample>>() {
    let mut pairs = 0;
    walk_in_pairs(80, Sample::mirrored_start, A::Game::mirrored_move, |game: &A::Game, twin| {
        pairs += 1;
        let mirror = A::Game::mirrored(&game.pack());
        assert!(mirror == Some(twin.pack()), "{}", game.notation());
        assert!(A::Game::mirrored(&twin.pack()) == Some(game.pack()), "{}", game.notation());
        let mut planes = game.planes();
        planes.chunks_exact_mut(A::Game::COLUMNS).for_each(<[f32]>::reverse);
        assert_eq!(planes, twin.planes(), "{}", game.notation());
        assert_eq!(numbers::<A>(game, A::mirrored), numbers::<A>(twin, |index| index));
        let turn = game.turn();
        for &mv in game.position().legal_moves().as_ref() {
            let image = A::index(turn, A::Game::mirrored_move(mv));
            assert_eq!(A::mirrored(A::index(turn, mv)), image, "{mv} in {}", game.notation());
        }
    });
    assert!(pairs > 1000, "{pairs}");
}

#[test]
fn a_left_right_mirror_is_an_exact_symmetry_of_shogi() {
    a_mirrored_game_is_the_mirror_of_the_game::<shogi::Compact>();
    a_mirrored_game_is_the_mirror_of_the_game::<shogi::Full>();
}

#[test]
fn a_left_right_mirror_is_an_exact_symmetry_of_animal_shogi() {
    a_mirrored_game_is_the_mirror_of_the_game::<animal::Arrivals>();
}

#[test]
fn a_left_right_mirror_is_an_exact_symmetry_of_chess_without_castling() {
    a_mirrored_game_is_the_mirror_of_the_game::<chess::AlphaZero>();
}

/// The image is seen by the other player, but looks the same.
fn both_players_see_the_same<A: Actions<Game: Sample>>() {
    let (turn_plane, turn_byte) = A::Game::TURN;
    let image = |game: &A::Game| Some(game.exchanged_start());
    walk_in_pairs(40, image, A::Game::exchanged_move, |game: &A::Game, twin| {
        let (seen, twin_seen) = (game.pack(), twin.pack());
        for (place, (one, two)) in seen.as_ref().iter().zip(twin_seen.as_ref()).enumerate() {
            assert_eq!(one != two, place == turn_byte, "byte {place} in {}", game.notation());
        }
        let (planes, twin_planes) = (game.planes(), twin.planes());
        let squares = A::Game::SQUARES;
        let pairs = planes.chunks_exact(squares).zip(twin_planes.chunks_exact(squares));
        for (plane, (one, two)) in pairs.enumerate() {
            assert_eq!(one != two, plane == turn_plane, "plane {plane} in {}", game.notation());
        }
        assert_eq!(numbers::<A>(game, |index| index), numbers::<A>(twin, |index| index));
        for &mv in game.position().legal_moves().as_ref() {
            let image = A::index(twin.turn(), A::Game::exchanged_move(mv));
            assert_eq!(A::index(game.turn(), mv), image, "{mv} in {}", game.notation());
        }
    });
}

#[test]
fn shogi_turned_round_with_colours_exchanged_looks_the_same_but_for_the_player_plane() {
    both_players_see_the_same::<shogi::Compact>();
    both_players_see_the_same::<shogi::Full>();
}

#[test]
fn animal_shogi_turned_round_with_players_exchanged_looks_the_same_but_for_the_player_plane() {
    both_players_see_the_same::<animal::Arrivals>();
}

#[test]
fn chess_turned_round_with_colours_exchanged_looks_the_same_but_for_the_player_plane() {
    both_players_see_the_same::<chess::AlphaZero>();
}

fn cells_are_places_of_their_own<A: Actions>() {
    let mut cells: Vec<_> = (0..A::COUNT).filter_map(A::cell).collect();
    cells.sort_unstable();
    assert_eq!(cells, (0..A::COUNT).collect::<Vec<_>>());
    assert_eq!(A::COUNT % A::Game::SQUARES, 0);
}

#[test]
fn a_policy_head_of_planes_has_a_place_for_every_action() {
    cells_are_places_of_their_own::<shogi::Compact>();
    cells_are_places_of_their_own::<chess::AlphaZero>();
    cells_are_places_of_their_own::<animal::Arrivals>();
    assert!((0..shogi::Full::COUNT).all(|index| shogi::Full::cell(index).is_none()));
}
